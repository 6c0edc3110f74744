/** The model that a page's address names: Next hands the segment over as it stands there. */
export async function modelParam({
  params,
}: {
  readonly params: Promise<{ readonly model: string }>;
}): Promise<string> {
  const { model } = await params;
  return decodeURIComponent(model);
}
