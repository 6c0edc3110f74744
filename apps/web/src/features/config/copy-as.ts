import { type CopyTexts, copyCall } from "../../lib/copy-call.ts";

/** An apply as commands and programs. */
export interface ApplyCall {
  /** Where the dashboard is, e.g. `https://nereid.example`. */
  readonly origin: string;
  readonly model: string;
  readonly text: string;
  readonly ifDigest: string;
  readonly reason: string;
}

/** The same apply for other hands. The command line reads the digest itself and refuses what has errors before it writes. */
export function copyApply({ origin, model, text, ifDigest, reason }: ApplyCall): CopyTexts {
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  return copyCall({
    origin,
    method: "PUT",
    path: `/models/${encodeURIComponent(model)}/config`,
    body: { text, ifDigest, ...(reason === "" ? {} : { reason }) },
    cli: {
      before: `cat > config.pbtxt <<'${endOf(whole)}'\n${whole}${endOf(whole)}\n`,
      words: ["config", model, "--file=config.pbtxt", ...(reason === "" ? [] : [`--reason=${reason}`])],
    },
  });
}

/** A word that ends the text in the shell and is no line of it. */
function endOf(text: string): string {
  let word = "CONFIG";
  while (text.split("\n").includes(word)) word += "_";
  return word;
}
