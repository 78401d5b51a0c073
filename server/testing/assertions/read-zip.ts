import { fromBuffer, type Entry } from 'yauzl';

export type ZipContent = {
  files: Map<string, Buffer>;
  /** 0: stored, 8: deflated. */
  methods: Map<string, number>;
};

/** @throws unless it is a valid zip without repeated names */
export function readZip(bytes: Buffer): Promise<ZipContent> {
  const content: ZipContent = { files: new Map(), methods: new Map() };
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, strictFileNames: true }, (error, zip) => {
      if (error) return reject(error);
      zip.on('error', reject);
      zip.on('end', () => resolve(content));
      zip.on('entry', (entry: Entry) => {
        if (content.files.has(entry.fileName)) return reject(new Error(`Twice: ${entry.fileName}`));
        zip.openReadStream(entry, (readError, stream) => {
          if (readError) return reject(readError);
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('error', reject);
          stream.on('end', () => {
            content.files.set(entry.fileName, Buffer.concat(chunks));
            content.methods.set(entry.fileName, entry.compressionMethod);
            zip.readEntry();
          });
        });
      });
      zip.readEntry();
    });
  });
}
