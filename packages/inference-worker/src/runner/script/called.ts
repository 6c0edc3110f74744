import type { CallError } from "../../runner-protocol/call-messages.ts";

/** What a script gets when a call of it fails: Triton's error class as `code`, and the text as a client would get it. */
export class Called extends Error {
  readonly code: string;

  constructor({ code, message }: CallError) {
    super(String(message));
    this.name = "ModelCallError";
    this.code = String(code);
  }
}
