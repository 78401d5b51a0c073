/** SHA-256, on another thread. Null without https, where browsers do not hash. @throws if it cannot be read */
export async function hashBlob(blob: Blob): Promise<string | null> {
  if (!window.isSecureContext) return null;
  const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
