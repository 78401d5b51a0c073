/** Every text of Uppy that one photo can bring up, in our words. Uppy's own speak of files. */
export const uploaderLocale = {
  strings: {
    // Its button is drawn below it.
    dropPasteFiles: 'Drop your files here%{browseFiles}',
    dropHint: 'Drop your files here',
    browseFiles: 'Choose a photo',
    dashboardTitle: 'Photo uploader',
    uploadXFiles: { 0: 'Upload photo', 1: 'Upload photos' },
    uploadXNewFiles: { 0: 'Upload photo', 1: 'Upload photos' },
    removeFile: 'Remove photo',
    editFile: 'Edit photo',
    editImage: 'Edit photo',
    editFileWithFilename: 'Edit photo %{file}',
    finishEditingFile: 'Finish editing the photo',
    editing: 'Editing %{file}',
    exceedsSize: 'This photo is larger than %{size}. Please choose a smaller one.',
    youCanOnlyUploadFileTypes: 'Please choose a photo',
    youCanOnlyUploadX: { 0: 'One photo at a time', 1: 'One photo at a time' },
    noMoreFilesAllowed: 'One photo at a time',
    noInternetConnection: 'You are offline',
    connectedToInternet: 'Back online',
    addBulkFilesFailed: { 0: 'This photo could not be added', 1: 'These photos could not be added' },
    failedToUpload: 'The photo could not be uploaded',
    recoveredAllFiles: 'Your photo is still here. You can pick up where you left off.',
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
