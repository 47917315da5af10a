// Package fetch turns what a launch names into bytes that were verified.
//
// "npx -y pkg@1.2.3" runs other bytes every day: the version is fixed, the
// packages below it are not. So a launch of a registry's package is resolved
// once into a tree ([Tree], the content of a package-lock.json of version 3),
// the tree is locked, and from then on exactly these bytes are unpacked, hashed
// and started:
//
//	resolve   npm, in an empty folder, without scripts, behind a proxy of ours, and
//	          confined to both where the machine allows it
//	restore   tarballs by SHA-512, hashed while they are unpacked
//	verify    every file against its SHA-256, and nothing beside them
//	start     node and the program that the packages name
//
// What uvx and pipx run is turned into [Requirements] by the user's uv, installed
// by it from wheels with these digests, and verified in the same way. Of images
// only the digest is asked for, of the engine that has them.
//
// Registry, proxies and credentials come from the configuration of the user and
// the machine; what a repository says about them is data and reaches nothing
// here. Only this package makes an [Artifact]: holding one means that its bytes
// were verified.
//
// A tarball that npm and this package could read as different files is refused:
// links, other kinds than files and folders, names with "..", extended headers
// that not all readers take alike.
//
// Sources: package-lock.json version 3 (npm 7 and later), Subresource Integrity
// for the form of integrity values, npm's pacote for what is unpacked of a
// tarball, libnpmexec for the choice of a program.
package fetch
