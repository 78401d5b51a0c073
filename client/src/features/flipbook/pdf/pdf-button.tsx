import { FileDown } from 'lucide-react';
import { BarButton } from '../viewer/viewer-bar.tsx';
import type { usePdf } from './use-pdf.ts';

/** Keeps the book for paper; on a phone, however it is held, in few letters. */
export function PdfButton({ isMaking, progress, start }: ReturnType<typeof usePdf>) {
  return (
    <div className="relative">
      <BarButton Icon={FileDown} isPending={isMaking} onClick={start}>
        {isMaking ? (
          <span className="tabular-nums">
            <span className="max-sm:sr-only short:sr-only">Making PDF </span>
            {progress}%
          </span>
        ) : (
          <span>
            <span className="max-sm:sr-only short:sr-only">Download </span>PDF
          </span>
        )}
      </BarButton>
      {isMaking && (
        <div
          role="progressbar"
          aria-label="Making the PDF"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={progress}
          className="absolute inset-x-4 bottom-1 h-1 overflow-hidden rounded-full bg-hairline"
        >
          <div
            className="h-full bg-accent transition-[width] duration-250"
            style={{ width: `${progress}%` }}
          />
        </div>
      )}
    </div>
  );
}
