import { useMutation } from '@tanstack/react-query';
import { Upload, type CreateUploadRequest } from '#shared/upload';
import { apiPost } from '../../lib/api-client.ts';

/** Asks for the permission to put one object, once. */
export function useCreateUpload() {
  return useMutation({
    mutationFn: (request: CreateUploadRequest) => apiPost('/api/objects/upload', request, Upload),
  });
}
