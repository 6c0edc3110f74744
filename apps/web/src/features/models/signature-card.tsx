import type { ModelDetail, TensorSignature } from "@nereid/services";
import { Card, Message, Table, Td, Th, Tr } from "@nereid/ui";

/** A shape as people write it; what may vary is a question mark. */
function shapeText(shape: readonly number[]): string {
  return `[${shape.map((size) => (size < 0 ? "?" : String(size))).join(", ")}]`;
}

function Tensors({ title, tensors }: { readonly title: string; readonly tensors: readonly TensorSignature[] }) {
  return (
    <>
      <tr>
        <th
          scope="colgroup"
          colSpan={3}
          className="border-b bg-raised/50 px-4 py-1.5 text-left font-medium text-[0.786rem] text-ink-soft"
        >
          {title}
        </th>
      </tr>
      {tensors.map((tensor) => (
        <Tr key={tensor.name}>
          <Td className="font-mono text-[0.893rem] [overflow-wrap:anywhere]">{tensor.name}</Td>
          <Td className="font-mono text-[0.893rem]">{tensor.datatype}</Td>
          <Td className="font-mono text-[0.893rem]">{shapeText(tensor.shape)}</Td>
        </Tr>
      ))}
    </>
  );
}

/** What the model takes and gives. */
export function SignatureCard({ signature }: { readonly signature: ModelDetail["signature"] }) {
  return (
    <Card flush title="Inputs and outputs" hint="As the loaded model states them; ? may vary.">
      {signature === null ? (
        <Message kind="empty" title="Known once a version is ready" />
      ) : (
        <Table label="Inputs and outputs">
          <thead>
            <tr>
              <Th>Tensor</Th>
              <Th>Type</Th>
              <Th>Shape</Th>
            </tr>
          </thead>
          <tbody>
            <Tensors title="Inputs" tensors={signature.inputs} />
            <Tensors title="Outputs" tensors={signature.outputs} />
          </tbody>
        </Table>
      )}
    </Card>
  );
}
