/** The uploader's words where they are ours. All of Uppy's other texts stay as they are. */
export const uploaderLocale = {
  strings: {
    // Drawn below the words, as a button of its own.
    dropPasteFiles: 'Drop your files here%{browseFiles}',
    dropHint: 'Drop your files here',
    browseFiles: 'Choose a photo',
    dashboardTitle: 'Photo uploader',
    youCanOnlyUploadFileTypes: 'Please choose a photo',
    recoveredAllFiles: 'Your photo is still here. You can go on where you stopped.',
    recoveredXFiles: {
      0: 'Your photo could not be kept. Please choose it again.',
      1: 'Your photos could not be kept. Please choose them again.',
    },
    // Below 'Upload failed'. Of one photo there is nothing to count.
    filesUploadedOfTotal: { 0: 'Nothing is lost', 1: 'Nothing is lost' },
    missingRequiredMetaField: 'Missing required meta field(s)',
  },
  pluralize: (count: number): 0 | 1 => (count === 1 ? 0 : 1),
};
