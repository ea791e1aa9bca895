// The engine of this page: its WebAssembly is inside the page, compressed.
import create from "virtual:engine-script";
import packed from "virtual:engine-wasm";
import { Library, type EngineModule } from "./library";

export async function loadEngine(): Promise<Library> {
  const compressed = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const wasmBinary = await new Response(stream).arrayBuffer();
  return new Library((await create({ wasmBinary, locateFile: (name) => name })) as EngineModule);
}
