import './uppy-theme.css';
import AwsS3 from '@uppy/aws-s3';
import Uppy from '@uppy/core';
import Dashboard from '@uppy/dashboard';
import { useEffect, useEffectEvent, useRef } from 'react';
import { UPLOAD_MAX_BYTES } from '#shared/upload';
import { makeThumbnail } from './photo-thumbnail.ts';
import { useCreateUpload } from './upload-api.ts';
import { uploaderLocale } from './uploader-locale.ts';

const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'];
const WIDTH_PX = 750;
const HEIGHT_PX = 550;

export interface PhotoUploaderProps {
  /** The photo is in the store: makes something of it. Until the promise settles the uploader says that it is at work. */
  onUploaded: (uploadURL: string) => Promise<void>;
  onUploadError: (error: unknown) => void;
  onCancel: () => void;
}

/** Uppy's dashboard for one photo. One Uppy per mount, gone with it. */
export function PhotoUploader({ onUploaded, onUploadError, onCancel }: PhotoUploaderProps) {
  const place = useRef<HTMLDivElement>(null);
  const { mutateAsync: createUpload } = useCreateUpload();
  const sign = useEffectEvent((contentType: string, size: number) => createUpload({ contentType, size }));
  const uploaded = useEffectEvent((uploadURL: string) => onUploaded(uploadURL));
  const failed = useEffectEvent((error: unknown) => onUploadError(error));
  const cancelled = useEffectEvent(() => onCancel());

  useEffect(() => {
    if (!place.current) return;
    const uppy = createUppy(place.current, { sign, uploaded });
    const handleError = (_file: unknown, error: unknown) => failed(error);
    const handleCancel = () => cancelled();
    uppy.on('upload-error', handleError).on('cancel-all', handleCancel);
    return () => {
      // Destroying cancels too; only a person's cancelling is of interest.
      uppy.off('cancel-all', handleCancel).off('upload-error', handleError);
      uppy.destroy();
    };
  }, []);

  return <div ref={place} className="photo-uploader" />;
}

interface UploadSteps {
  sign: (contentType: string, size: number) => Promise<{ uploadURL: string }>;
  uploaded: (uploadURL: string) => Promise<void>;
}

function createUppy(target: HTMLElement, { sign, uploaded }: UploadSteps): Uppy {
  const addresses = new Map<string, string>();
  const uppy = new Uppy({
    restrictions: { maxNumberOfFiles: 1, maxFileSize: UPLOAD_MAX_BYTES, allowedFileTypes: PHOTO_TYPES },
    locale: uploaderLocale,
    // What goes wrong is shown to the person; the console is for what nobody expected.
    logger: { debug: () => {}, warn: () => {}, error: () => {} },
  });
  uppy.use(Dashboard, {
    inline: true,
    target,
    width: WIDTH_PX,
    height: HEIGHT_PX,
    disableThumbnailGenerator: true,
    proudlyDisplayPoweredByUppy: false,
    showLinkToFileUploadResult: false,
  });
  uppy.use(AwsS3, {
    shouldUseMultipart: false,
    generateObjectKey: (file) => file.id,
    signRequest: async ({ key, ...request }) => {
      const contentType = ('contentType' in request && request.contentType) || 'application/octet-stream';
      const { uploadURL } = await sign(contentType, uppy.getFile(key).size ?? 0);
      addresses.set(key, uploadURL);
      return { url: new URL(uploadURL, window.location.href).href };
    },
  });
  uppy.addPostProcessor(async ([fileId = '']) => {
    const file = uppy.getFile(fileId);
    const address = addresses.get(fileId);
    if (!file || file.error || !address) return;
    uppy.emit('postprocess-progress', file, { mode: 'indeterminate', message: 'Keeping your memory...' });
    await uploaded(address);
  });
  showThumbnails(uppy);
  return uppy;
}

function showThumbnails(uppy: Uppy): void {
  uppy.on('file-added', ({ id, data }) => {
    if (!(data instanceof Blob)) return;
    makeThumbnail(data).then(
      (preview) => (uppy.getFile(id) ? uppy.setFileState(id, { preview }) : URL.revokeObjectURL(preview)),
      () => {}, // No picture, no thumbnail: the file's icon stays.
    );
  });
  uppy.on('file-removed', ({ preview }) => preview && URL.revokeObjectURL(preview));
}
