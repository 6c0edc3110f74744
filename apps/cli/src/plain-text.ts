/** What a terminal would obey, and what changes how the text around it is shown. Tabs are harmless. */
const UNSAFE = /[^\t\n\P{Cc}]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Text of others for a terminal: control characters as `\\uXXXX`. Lines stay lines; where one line is meant, whoever writes it escapes
 * line breaks. Pure.
 */
export function plainText(text: string): string {
  return text.replace(UNSAFE, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
