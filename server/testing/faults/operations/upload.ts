import { completeUpload, putPhoto } from '../../data/factories.ts';
import { copyOfPhoto, makePhoto } from '../../photos/photos.ts';
import { compare } from '../invariants.ts';
import { countMemories, type Operation, type World } from './operation.ts';

/** A photo from the browser. */
export async function createUploads({ installation, owner }: World): Promise<Operation> {
  const photo = await makePhoto();
  const acknowledged: string[] = [];
  return {
    name: 'upload',
    async run(n) {
      const caption = `upload-${n}`;
      const { status, text } = await completeUpload(owner, {
        uploadURL: await putPhoto(owner, copyOfPhoto(photo)),
        caption,
      });
      if (status !== 201) throw new Error(`${caption}: ${status} ${text}`);
      acknowledged.push(caption);
    },
    async check() {
      const counts = acknowledged.map(async (caption) =>
        compare(caption, await countMemories(installation, caption), 1),
      );
      return (await Promise.all(counts)).flat();
    },
  };
}
