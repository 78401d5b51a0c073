import { Spinner } from './spinner.tsx';

export function LoadingScreen() {
  return (
    <div role="status" className="flex min-h-[60vh] items-center justify-center gap-3 text-muted">
      <Spinner />
      Loading...
    </div>
  );
}
