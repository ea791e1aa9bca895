// Made by vite.config.ts from the engine's build.
declare module "virtual:engine-script" {
  export default function create(options: {
    wasmBinary: ArrayBuffer;
    locateFile: (name: string) => string;
  }): Promise<unknown>;
}
declare module "virtual:engine-wasm" {
  const packed: string; // gzip, in base64
  export default packed;
}
