// A link that holds a scenario behind its #, compressed; the part behind # never leaves the browser.
const MARK = "#s=";
const PLAIN = "#t="; // not compressed, as the program writes it into reports

async function through(bytes: Uint8Array, stream: ReadableWritablePair<Uint8Array, BufferSource>): Promise<Uint8Array> {
  const flow = new Blob([bytes as BlobPart]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(flow).arrayBuffer());
}

export async function linkOf(text: string): Promise<string> {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const base = location.href.split("#")[0];
  return base + MARK + letters.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

// The scenario of a link, or null where it holds none.
export async function scenarioOfLink(hash: string): Promise<string | null> {
  if (!hash.startsWith(MARK) && !hash.startsWith(PLAIN)) return null;
  const letters = hash.slice(MARK.length).replace(/-/g, "+").replace(/_/g, "/");
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  if (hash.startsWith(PLAIN)) return new TextDecoder().decode(bytes);
  return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
}
