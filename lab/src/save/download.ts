// Files that the page gives to the user.
export function download(name: string, content: Blob | Uint8Array | string, type = "application/octet-stream"): void {
  const blob = content instanceof Blob ? content : new Blob([content as BlobPart], { type });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// A name for files, of letters that every system and shell takes as they are.
export function fileName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "").slice(0, 60) || "scenario";
}
