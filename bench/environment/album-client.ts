/** A signed-in user who adds photos and looks at them. */
export function createAlbumClient(app: string, cookie: string) {
  const call = (method: string, path: string, body?: object) =>
    request(app + path, {
      method,
      headers: { Cookie: cookie, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });

  /** The URL for the PUT. */
  async function requestUpload(photo: Buffer): Promise<string> {
    const response = await call('POST', '/api/objects/upload', {
      contentType: 'image/jpeg',
      size: photo.length,
    });
    return ((await response.json()) as { uploadURL: string }).uploadURL;
  }

  async function putPhoto(uploadURL: string, photo: Buffer): Promise<void> {
    const { pathname, search } = new URL(uploadURL);
    const headers = { 'Content-Type': 'image/jpeg' };
    await request(app + pathname + search, { method: 'PUT', headers, body: new Uint8Array(photo) });
  }

  async function completeUpload(uploadURL: string): Promise<{ id: string; imageUrl: string }> {
    const response = await call('POST', '/api/memories/complete-upload', { uploadURL });
    return (await response.json()) as { id: string; imageUrl: string };
  }

  const addPhoto = async (photo: Buffer) => {
    const uploadURL = await requestUpload(photo);
    await putPhoto(uploadURL, photo);
    return completeUpload(uploadURL);
  };

  return { call, requestUpload, putPhoto, completeUpload, addPhoto };
}

/** @throws unless the response is successful */
export async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}
