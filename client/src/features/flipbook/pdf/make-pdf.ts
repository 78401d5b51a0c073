import { CreateFlipbookPdfRequest, FlipbookPdf } from '#shared/flipbook';
import { ApiError, apiGet, apiPost, isNotFound } from '../../../lib/api-client.ts';

const PDFS = '/api/flipbooks/pdf';
const POLL_MS = 1000;
/** In a row: a phone that slept, a lift. The PDF goes on being made meanwhile. */
const MOST_UNANSWERED = 5;

interface MakePdfOptions {
  /** One that was made of the same memories; it goes after a day, or when another is made. */
  former: FlipbookPdf | undefined;
  /** Per cent. */
  onProgress: (progress: number) => void;
  signal: AbortSignal;
}

/** It can't be made, for a reason that can be shown as it is. */
export class PdfProblem extends Error {}

/**
 * Has a book's PDF made, or waits for the one of the same memories that is being made already.
 * @throws PdfProblem, ApiError
 */
export async function makePdf(
  memoryIds: string[],
  { former, onProgress, signal }: MakePdfOptions,
): Promise<FlipbookPdf & { url: string }> {
  const request = CreateFlipbookPdfRequest.safeParse({ memoryIds });
  if (!request.success) throw new PdfProblem(request.error.issues[0]?.message);
  let pdf = (former && (await find(former.id, signal))) ?? (await apiPost(PDFS, request.data, FlipbookPdf));
  for (let unanswered = 0; pdf.status === 'making';) {
    onProgress(pdf.progress);
    await rest(signal);
    try {
      pdf = await apiGet(`${PDFS}/${pdf.id}`, FlipbookPdf, signal);
      unanswered = 0;
    } catch (error) {
      if (error instanceof ApiError || signal.aborted || ++unanswered > MOST_UNANSWERED) throw error;
    }
  }
  const { status, url } = pdf;
  if (status === 'failed' || url === null) throw new PdfProblem('Something went wrong. Please try again.');
  return { ...pdf, url };
}

async function find(id: string, signal: AbortSignal): Promise<FlipbookPdf | null> {
  try {
    return await apiGet(`${PDFS}/${id}`, FlipbookPdf, signal);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, POLL_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('The book was closed', 'AbortError'));
    });
  });
}
