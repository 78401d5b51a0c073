const UPLOAD_PATH = /\/uploads\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The id of the upload that an address is for, by its path alone; null for an address that is none of ours. */
export function uploadIdIn(url: string): string | null {
  if (!URL.canParse(url, 'http://here')) return null;
  return UPLOAD_PATH.exec(new URL(url, 'http://here').pathname)?.[1] ?? null;
}
