import { Spinner } from './spinner.tsx';

export function LoadingScreen({ text = 'Loading...' }: { text?: string }) {
  return (
    <div role="status" className="flex min-h-[60vh] items-center justify-center gap-3 text-muted">
      <Spinner />
      {text}
    </div>
  );
}
