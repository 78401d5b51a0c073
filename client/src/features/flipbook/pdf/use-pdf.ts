import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FlipbookPdf } from '#shared/flipbook';
import { serverMessage } from '../../../lib/api-client.ts';
import { isLostSession } from '../../../lib/lost-session.ts';
import { showToast } from '../../../ui/toast-store.ts';
import { makePdf, PdfProblem } from './make-pdf.ts';

/** Has a PDF of the book made and downloads it. Nobody waits for it any more once the book is closed. */
export function usePdf(memoryIds: string[]) {
  /** Per cent. */
  const [progress, setProgress] = useState(0);
  const [waiting, setWaiting] = useState<AbortController | null>(null);
  const { mutate, data, isPending } = useMutation({
    mutationFn: (options: { former: FlipbookPdf | undefined; signal: AbortSignal }) =>
      makePdf(memoryIds, { ...options, onProgress: setProgress }),
  });
  useEffect(() => () => waiting?.abort(), [waiting]);

  const start = () => {
    const leaving = new AbortController();
    setWaiting(leaving);
    setProgress(0);
    const options = { former: data, signal: leaving.signal };
    mutate(options, {
      onSuccess: ({ url }) => {
        download(url);
        showToast({
          variant: 'success',
          title: 'Your PDF is ready',
          description: 'It is in your downloads.',
        });
      },
      onError: (error) => {
        if (isLostSession(error)) return;
        const problem = error instanceof PdfProblem ? error.message : serverMessage(error);
        showToast({
          variant: 'destructive',
          title: 'The PDF could not be created',
          description: problem ?? 'Please check your connection and try again.',
        });
      },
    });
  };
  return { isMaking: isPending, progress, start };
}

function download(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}
