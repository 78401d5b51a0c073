export function isFileTransfer(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer !== null && transfer.types.includes('Files');
}
