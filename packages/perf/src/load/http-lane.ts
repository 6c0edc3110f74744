import type { LoadLane } from "./closed-loop.ts";
import { HttpConnection } from "./http-connection.ts";

export interface HttpLaneOptions {
  readonly port: number;
  readonly request: Buffer;
  /** Default 200. */
  readonly expectStatus?: number;
}

/** Opens a keep-alive connection that sends one ready-made request again and again. */
export async function openHttpLane({ port, request, expectStatus = 200 }: HttpLaneOptions): Promise<LoadLane> {
  const connection = await HttpConnection.open(port);
  return {
    async send() {
      const { status, chunks } = await connection.send(request);
      if (status !== expectStatus)
        throw new Error(`answer ${status}: ${Buffer.concat(chunks).toString("latin1").slice(0, 300)}`);
    },
    close: () => connection.close(),
  };
}
