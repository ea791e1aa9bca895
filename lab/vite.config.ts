// Builds the page as one file. CAIRN_ENGINE is the folder of engine.mjs and engine.wasm, CAIRN_LAB that of lab.html.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const engine = process.env.CAIRN_ENGINE ?? "../build/release/lab/engine";
const here = path.dirname(fileURLToPath(import.meta.url));
const uplot = path.join(here, "../third_party/uplot");

// Code and WebAssembly of the engine as modules.
function engineModules(): Plugin {
  return {
    name: "cairn-engine",
    resolveId: (id) => (id === "virtual:engine-script" || id === "virtual:engine-wasm" ? `\0${id}` : null),
    load(id) {
      if (id === "\0virtual:engine-script") return readFileSync(path.join(engine, "engine.mjs"), "utf8");
      if (id !== "\0virtual:engine-wasm") return null;
      const packed = gzipSync(readFileSync(path.join(engine, "engine.wasm")), { level: 9 }).toString("base64");
      return `export default "${packed}";`;
    },
  };
}

// Compressed code, and what unpacks and runs it: a third of the size.
function packed(code: string): string {
  const base64 = gzipSync(code, { level: 9 }).toString("base64");
  return `const bytes = Uint8Array.from(atob("${base64}"), (letter) => letter.charCodeAt(0));
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const script = document.createElement("script");
script.type = "module";
script.textContent = await new Response(stream).text();
document.body.append(script);`;
}

// The texts that the licences of what the page contains ask for.
function licences(): string {
  const files = ["../packaging/copyright", "../third_party/uplot/LICENSE", "node_modules/three/LICENSE"];
  const text = files.map((file) => readFileSync(path.join(here, file), "utf8").trim()).join("\n\n----\n\n");
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}

// uPlot as scripts and styles of the page, and in the end everything in the page itself.
function oneFile(): Plugin {
  const script = (code: string) => code.replace(/<\/script/gi, "<\\/script");
  return {
    name: "cairn-one-file",
    enforce: "post",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const file = (name: string) => readFileSync(path.join(uplot, name), "utf8");
        const plots = `<style>${file("uPlot.min.css")}</style>\n<script>${script(file("uPlot.iife.min.js"))}</script>\n`;
        let page = html.replace("</head>", () => `${plots}</head>`).replace("%licences%", licences);
        for (const [name, part] of Object.entries(bundle ?? {})) {
          if (part.type === "chunk") {
            page = page.replace(/<script type="module"[^>]*src="[^"]*"[^>]*><\/script>\s*/, "");
            page = page.replace("</body>", () => `<script type="module">${packed(part.code)}</script>\n</body>`);
          } else if (name.endsWith(".css")) {
            page = page.replace(/<link rel="stylesheet"[^>]*>\s*/, "");
            page = page.replace("</head>", () => `<style>${String(part.source)}</style>\n</head>`);
          } else {
            continue;
          }
          delete bundle![name];
        }
        return page;
      },
    },
  };
}

export default defineConfig({
  plugins: [engineModules(), oneFile()],
  worker: { format: "iife", plugins: () => [engineModules()] },
  server: { fs: { allow: [".."] } },
  build: {
    target: "es2022",
    outDir: process.env.CAIRN_LAB ?? "../build/release/lab/page",
    emptyOutDir: true,
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: Infinity,
    chunkSizeWarningLimit: 4096,
  },
});
