package surface

// nounTable holds nouns in the singular. "a+b" is a phrase, whose kinds take
// the place of those of its parts: a "pull request" is no request.
var nounTable = []struct {
	noun  noun
	words string
}{
	{file, `file folder directory filename filepath filesystem file+system disk path file+path local+file subdirectory
		text+file markdown+file media+file csv pdf document+on+disk gitignore working+directory+contents`},
	{repo, `git worktree working+tree staging+area stash reflog head commit branch tag working+directory remote+repository
		git+repository local+repository changelog git+tag git+branch merge+conflict submodule`},
	{local, `disk filesystem file+system knowledge+graph obsidian vault+note markdown+note clipboard registry+key crontab local+memory memo+file
		local+database+file localhost+config backlink`},
	{remote, `github gitlab bitbucket jira confluence notion slack discord gmail outlook google asana linear trello airtable
		hubspot salesforce zendesk stripe paypal shopify twilio sendgrid mailchimp resend figma vercel netlify cloudflare
		aws azure gcp s3 r2 d1 kv dynamodb lambda ec2 bucket kubernetes kubectl k8s pod namespace deployment helm cluster
		docker container sentry datadog grafana pagerduty supabase firebase bigquery snowflake elasticsearch redis
		mongodb pinecone dropbox onedrive sharepoint drive calendar spotify youtube twitter linkedin reddit facebook
		instagram telegram whatsapp teams zoom intercom todoist clickup monday worker durable+object api account
		organization organisation workspace subscription tenant dns zone domain+name 1password bitwarden
		wikipedia arxiv brave perplexity openai anthropic channel guild mailbox inbox gitea azure+devops jenkins circleci
		terraform+cloud wordpress ssh sftp remote+host remote+server remote+machine remote+system vps contentful sanity project+board milestone gist cloud
		merge+request pull+request bare+metal secure+note webhook queue topic pubsub kafka exchange`},
	{address, `url uri website web+site webpage web+page site link http+request endpoint+url remote+url host+and+port
		html+page web+content sitemap`},
	{screen, `browser tab+in+the+browser browser+tab browser+window devtools dom element page+element web+element viewport
		console+message network+request screenshot screen desktop mobile android mobile+device mouse keyboard cursor+position simulator emulator
		touchscreen gui ui+element accessibility+tree accessibility+snapshot a11y+tree current+page selected+page
		target+page target+webpage selected+webpage current+tab playwright puppeteer selenium chromium dialog dropdown
		text+area form+element form+field heap+snapshot heapsnapshot open+page css+media screencast window
		android+device ios+device screen+coordinate ui+view app+on+the+device html+element button checkbox
		lighthouse performance+trace tab`},
	{command, `command shell bash terminal cli powershell zsh cmd process subprocess command+line shell+command shell+script
		program executable binary console+command system+command argv`},
	{code, `script code javascript python snippet code+snippet expression js typescript playwright+code ruby+code lua test test+suite unit+test
		notebook+cell r+code wasm sandboxed+code`},
	{table, `sql database table schema sql+query select+query row column mysql postgres postgresql sqlite mariadb db
		collection ddl graphql`},
	{secret, `password secret credential passphrase api+key apikey access+token private+key ssh+key secret+key
		auth+token refresh+token bearer+token environment+secret secret+value recovery+code totp otp one+time+password
		personal+access+token deploy+token secure+note concealed+field keychain master+password
		deploy+key access+key client+secret signing+key cd+variable ci+variable pipeline+variable oauth+token
		session+cookie api+token kubernetes+secret`},
	{environ, `environment+variable env env+var env+variable process+environment environ`},
	{people, `message email comment reply tweet announcement notification review discussion issue pull+request merge+request
		ticket post thread newsletter sms invitation reaction poll note+on+the+issue merge+request+note issue+note
		discussion+note draft+note review+comment story blog+post status+update mail dm direct+message embed+message
		pull+request+review issue+comment mr+note`},
	{money, `payment funds order trade bitcoin crypto usdt payout market+order limit+order purchase refund donation loan erc20 usdc stablecoin nft`},
	{value, `number sum current+time current+date timezone string text+string uuid random+number time+zone unit arithmetic expression+value mathematical+expression
		thought thinking+process progress+update timestamp hash+value input+string tiny+image demo simulation
		sample+data example+resource resource+link resource+reference annotation structured+content base64
		json+string regex password+strength color`},
	{picture, `chart map boxplot scatterplot diagram plot graph+visualization histogram flowchart mind+map mermaid treemap sankey heatmap
		word+cloud qr+code barcode visualization pie+chart bar+chart network+graph fishbone org+chart`},
	{job, `workflow pipeline job task build action function container+image lambda+function cron automation tool
		deployment+pipeline`},
	{thing, `place record schedule play transfer change order`},
	{model, `inference embedding completion llm language+model ai+model model+response`},
	{cookie, `cookie set+cookie local+storage session+storage storage+state session+token request+header response+header
		headers+and+body`},
}
