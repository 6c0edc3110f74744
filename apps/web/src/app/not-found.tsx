import { Button, Message } from "@nereid/ui";
import Link from "../lib/link.tsx";

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <Message
        kind="missing"
        page
        title="There is no such page"
        action={
          <Button asChild>
            <Link href="/models">Go to models</Link>
          </Button>
        }
      >
        The address may be mistyped, or what it led to has gone.
      </Message>
    </main>
  );
}
