// Ends a test that cannot run here, with the reason; ctest knows the code.
export function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}
