// The drafts in a process of their own, to be killed; prints the URL.
import { startDraftServer } from "./draft-server.ts";

const server = await startDraftServer(process.argv[2] ?? "");
process.stdout.write(`${server.url}\n`);
