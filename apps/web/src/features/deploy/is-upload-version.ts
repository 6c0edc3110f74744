/** Whether a text is the number of a version that can be uploaded: above 0, and without a leading zero. */
export function isUploadVersion(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text);
}
