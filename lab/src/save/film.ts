// A short film of the stage, where the browser can make one.
export class Film {
  private recorder: MediaRecorder | null = null;

  static possible(canvas: HTMLCanvasElement): boolean {
    return "MediaRecorder" in window && "captureStream" in canvas && MediaRecorder.isTypeSupported("video/webm");
  }

  get going(): boolean {
    return this.recorder !== null;
  }

  start(canvas: HTMLCanvasElement): void {
    this.recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm", videoBitsPerSecond: 6e6 });
    this.recorder.start();
  }

  stop(): Promise<Blob> {
    const recorder = this.recorder;
    this.recorder = null;
    if (!recorder) return Promise.reject(new Error("no film"));
    return new Promise((resolve) => {
      recorder.ondataavailable = ({ data }) => resolve(data);
      recorder.stop();
    });
  }
}
