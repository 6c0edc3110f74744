/**
 * Pieces of text as a stream of bytes that is read at the reader's pace. The first piece is made before this answers, so that what fails at
 * once fails before an answer has begun.
 */
export async function textStream(pieces: AsyncGenerator<string, void, undefined>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string, void>> | undefined = Promise.resolve(await pieces.next());
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await (next ?? pieces.next());
      next = undefined;
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => {
      await pieces.return();
    },
  });
}
