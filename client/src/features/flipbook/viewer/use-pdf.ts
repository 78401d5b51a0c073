import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { CreateFlipbookPdfRequest, FlipbookPdf } from '#shared/album/flipbook';
import { ApiError, apiGet, apiPost, isNotFound } from '../../../lib/api/api-client.ts';
import { download } from '../../../lib/browser/download.ts';
import { CHECK_CONNECTION, showError } from '../../../ui/toasts/show-error.ts';
import { showSuccess } from '../../../ui/toasts/toast-store.ts';

const PDFS = '/api/flipbooks/pdf';
const POLL_MS = 1000;
/** In a row, since a phone may lose its connection for some seconds. The server continues to create the PDF. */
const MAX_FAILED_POLLS = 5;

/** Creates a PDF of the book and downloads it. Closing the book stops the polling. */
export function usePdf(title: string, memoryIds: string[]) {
  const [progress, setProgress] = useState(0);
  const [polling, setPolling] = useState<AbortController | null>(null);
  const { mutate, data, isPending } = useMutation({
    mutationFn: (options: Pick<CreatePdfOptions, 'previous' | 'signal'>) =>
      createPdf({ title, memoryIds }, { ...options, onProgress: setProgress }),
  });
  useEffect(() => () => polling?.abort(), [polling]);
  const start = () => {
    const controller = new AbortController();
    setPolling(controller);
    setProgress(0);
    mutate(
      { previous: data, signal: controller.signal },
      {
        onSuccess: ({ url }) => {
          download(url);
          showSuccess('Your PDF is ready', 'It is in your downloads.');
        },
        onError: (error) => {
          const reason = error instanceof PdfError ? error.message : undefined;
          showError(error, 'The PDF could not be created', reason ?? CHECK_CONNECTION);
        },
      },
    );
  };
  return { isCreating: isPending, progress, start };
}

interface CreatePdfOptions {
  /** An earlier PDF of the same memories. The server deletes it after a day, or when another is created. */
  previous: FlipbookPdf | undefined;
  onProgress: (progress: number) => void;
  signal: AbortSignal;
}

/** Its message is shown. */
class PdfError extends Error {}

/** Creates a PDF, or waits for the previous one of the same memories. @throws PdfError, ApiError */
async function createPdf(
  book: CreateFlipbookPdfRequest,
  { previous, onProgress, signal }: CreatePdfOptions,
): Promise<FlipbookPdf & { url: string }> {
  const request = CreateFlipbookPdfRequest.safeParse(book);
  if (!request.success) throw new PdfError(request.error.issues[0]?.message);
  let pdf =
    (previous && (await findPdf(previous.id, signal))) ?? (await apiPost(PDFS, request.data, FlipbookPdf));
  for (let failedPolls = 0; pdf.status === 'making';) {
    onProgress(pdf.progress);
    await delay(signal);
    try {
      pdf = await apiGet(`${PDFS}/${pdf.id}`, FlipbookPdf, signal);
      failedPolls = 0;
    } catch (error) {
      if (error instanceof ApiError || signal.aborted || ++failedPolls > MAX_FAILED_POLLS) throw error;
    }
  }
  const { status, url } = pdf;
  if (status === 'failed' || url === null) throw new PdfError('Something went wrong. Please try again.');
  return { ...pdf, url };
}

async function findPdf(id: string, signal: AbortSignal): Promise<FlipbookPdf | null> {
  try {
    return await apiGet(`${PDFS}/${id}`, FlipbookPdf, signal);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

function delay(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, POLL_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('The book was closed', 'AbortError'));
    });
  });
}
