import sharp from 'sharp';

/** A file in a person's account with a vendor. */
export type VendorFile = { id: string; name: string; mimeType: string; bytes: Buffer; folder: string | null };

/** A folder at the top. */
export type VendorFolder = { id: string; name: string };

export type VendorAccount = { email: string; files: VendorFile[]; folders: VendorFolder[] };

/** Two pages: a folder 'Pets', a photo named after the vendor, a text, and 'later photo.jpg'. */
export function createAccount(vendor: string, photo: Buffer): VendorAccount {
  const folder = { id: `${vendor}-folder-1`, name: 'Pets' };
  const all = [
    { name: `${vendor} photo.jpg`, mimeType: 'image/jpeg', bytes: photo },
    { name: 'notes.txt', mimeType: 'text/plain', bytes: Buffer.from('Not a photo') },
    { name: 'later photo.jpg', mimeType: 'image/jpeg', bytes: photo },
  ];
  const files = all.map((file, index) => ({ ...file, id: `${vendor}-file-${index + 1}`, folder: null }));
  const inFolder = { name: 'in folder.jpg', mimeType: 'image/jpeg', bytes: photo };
  return {
    email: `person@${vendor}.example`,
    files: [...files, { ...inFolder, id: `${vendor}-file-${all.length + 1}`, folder: folder.id }],
    folders: [folder],
  };
}

export function makeThumbnail(file: VendorFile, width = 256): Promise<Buffer> {
  return sharp(file.bytes).autoOrient().resize(width).jpeg().toBuffer();
}
