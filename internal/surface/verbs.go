package surface

// verbTable holds verbs in their base form; the other forms are derived. A
// word may stand in several rows. "a+b" is a phrase.
var verbTable = []struct {
	verb  verb
	words string
}{
	{reads, `get list read show view search find query describe lookup look+up check retrieve fetch inspect browse
		display count compare analyze analyse audit track verify validate monitor watch tail examine gather collect
		access discover explore enumerate identify load select dump diff blame log status head stat grep glob peek
		scan ls cat summarize summarise ask answer research lint export preview traverse locate poll obtain capture
		extract recall detect review estimate predict classify translate resolve dig info observe tree
		infer embed explain pull download open sample aggregate`},
	{returns, `return provide give output print report emit yield demonstrate`},
	{writes, `create update add set put edit modify patch write insert append prepend rename move copy upload save store
		merge fork push enable disable assign unassign archive unarchive star unstar subscribe unsubscribe mark apply
		install configure register import start stop restart scale trigger deploy schedule cancel close reopen rotate
		commit stage unstage toggle approve unapprove alter initialize initialise init clone pin unpin react switch stash rebase
		cherry+pick cherrypick checkout check+out pull restore rollback roll+back revert persist record change draft
		compose upsert transition link unlink attach detach publish play retry promote provision
		transfer lock unlock ban kick mute unmute block unblock follow unfollow accept reject decline grant
		subscribe join leave complete retarget squash amend sync synchronize synchronise replace convert+and+save zip+to
		hide unhide snooze label unlabel dismiss cordon drain patch expose manage+labels build compile scaffold bump migrate
		organize organise bookmark favorite flag unflag swap pause resume post reply move+to resize+volume
		increment decrement push execute+migration remember ingest index place finalize finalise
		turn+on turn+off adjust sign submit void`},
	{deletes, `delete remove drop destroy purge wipe erase truncate discard uninstall terminate kill revoke prune clean
		trash rm rmdir flush evict unregister deprovision undeploy clear reset hard+reset force+push unpublish del empty`},
	{replaces, `overwrite edit replace alter reset rebase rewrite`},
	{sends, `send post reply forward publish tweet notify broadcast email share invite announce message dm text+message
		comment mention respond+to contact mail sms submit+review`},
	{runs, `run execute exec evaluate eval invoke spawn launch start`},
	{drives, `click tap swipe hover scroll navigate type press drag fill emulate screenshot take double+click right+click
		left+click go+back go+forward goto go+to+url mouse keypress hold+key pinch long+press open+tab
		switch+tab drop+files screencast interact`},
	{fetches, `fetch download crawl scrape request visit clone load browse navigate open go+to curl ping pull connect
		connect+to call`},
	{makes, `generate make produce create`},
	{pays, `pay buy purchase withdraw donate refund bid stake unstake redeem trade tip charge deposit`},
	{computes, `calculate compute convert format echo subtract multiply divide encode decode parse hash simulate
		demonstrate think wait sleep render draw sum concatenate reverse count+words sort capitalize round
		beautify minify tokenize reason+about compress decompress escape unescape slugify visualize visualise plot`},
	{manages, `manage perform handle work support operate control administer maintain use`},
	{uploads, `upload attach import choose+files drop+files sync synchronize synchronise`},
	{saves, `save download export record dump capture screencast persist`},
}
