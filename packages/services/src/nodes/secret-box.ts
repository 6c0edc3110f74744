import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { NereidError } from "@nereid/errors";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PREFIX = "v1.";

/** Encrypts small secrets for the database (AES-256-GCM; the key is derived from the installation's own secret). */
export interface SecretBox {
  readonly seal: (text: string) => string;
  /** INTERNAL when the text was sealed with another secret, or changed. */
  readonly open: (sealed: string) => string;
}

/** A box whose contents cannot be read without `secret`; boxes of another `purpose` cannot read them either. */
export function createSecretBox(secret: string, purpose: string): SecretBox {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `nereid ${purpose}`, 32));
  return {
    seal: (text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    open: (sealed) => {
      try {
        if (!sealed.startsWith(PREFIX)) throw new Error("unknown form");
        const bytes = Buffer.from(sealed.slice(PREFIX.length), "base64url");
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
        return text.toString("utf8");
      } catch (cause) {
        throw new NereidError("INTERNAL", "a stored secret cannot be read with this installation's key", {
          fix: "enter it again, or put the file auth-secret of the state directory back",
          cause,
        });
      }
    },
  };
}
