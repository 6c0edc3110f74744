import { getRuntime } from "../../../../server/runtime.ts";

const handle = (request: Request): Promise<Response> => getRuntime().auth.handler(request);

export { handle as GET, handle as POST };
