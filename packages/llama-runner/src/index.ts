/** The backend "llamacpp": models in GGUF files, run by llama.cpp in a process of their own. */
export { type LlamacppOptions, llamacppBackend } from "./llamacpp-backend.ts";
