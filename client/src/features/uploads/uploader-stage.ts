import type { Body, Meta, Uppy } from '@uppy/core';
import type Dashboard from '@uppy/dashboard';

export type UploaderStage = 'choosing' | 'chosen' | 'editing' | 'uploading' | 'failed' | 'complete';

/** What the dialog around the uploader says about each stage. The status bar tells the rest. */
export const STAGE_TEXTS: Record<UploaderStage, { title: string; description: string }> = {
  choosing: { title: 'Choose the photo', description: 'One photo of up to 10 MB.' },
  chosen: { title: 'Your photo', description: 'Upload it as it is, or edit it first.' },
  editing: { title: 'Edit your photo', description: 'Crop, turn or flip it.' },
  uploading: { title: 'Uploading your photo', description: 'Please keep this page open.' },
  failed: { title: 'Not saved yet', description: 'Your photo and what you wrote are kept.' },
  complete: { title: 'Your memory is saved', description: 'You can find it in your album.' },
};

/** @returns what stops it */
export function watchStage(uppy: Uppy<Meta, Body>, onStage: (stage: UploaderStage) => void): () => void {
  const tell = () => onStage(stageOf(uppy));
  uppy.on('state-update', tell);
  tell();
  return () => void uppy.off('state-update', tell);
}

function stageOf(uppy: Uppy<Meta, Body>): UploaderStage {
  const [file] = uppy.getFiles();
  if (!file) return 'choosing';
  if (uppy.getPlugin<Dashboard<Meta, Body>>('Dashboard')?.getPluginState().showFileEditor) return 'editing';
  if (file.error) return 'failed';
  const { uploadComplete, uploadStarted, preprocess, postprocess } = file.progress;
  if (uploadComplete) return 'complete';
  return uploadStarted || preprocess || postprocess ? 'uploading' : 'chosen';
}
