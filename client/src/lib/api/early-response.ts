declare global {
  /** From first-tiles.ts. No module has it, since it would be one more file to load before the first tiles. */
  var earlyResponse: { path: string; response: Promise<Response> } | undefined;
}

/** The response to a request that was sent before the app was loaded, once. */
export function takeEarlyResponse(path: string): Promise<Response> | undefined {
  if (globalThis.earlyResponse?.path !== path) return undefined;
  const { response } = globalThis.earlyResponse;
  discardEarlyResponse();
  return response;
}

/** For a sign-in: the response may be another user's. */
export function discardEarlyResponse(): void {
  globalThis.earlyResponse = undefined;
}
