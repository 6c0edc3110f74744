/** The policy of one page. Scripts run only with this answer's nonce; styles may be inline because charts set them. */
export function contentSecurityPolicy(nonce: string, { development }: { development: boolean }): string {
  const directives = {
    "default-src": "'self'",
    // Compiling WebAssembly, which the hashing of uploads needs, is not evaluating text.
    "script-src": `'self' 'nonce-${nonce}' 'strict-dynamic' 'wasm-unsafe-eval'${development ? " 'unsafe-eval'" : ""}`,
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": `'self'${development ? " ws:" : ""}`,
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}
