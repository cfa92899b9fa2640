import { useEffect, useState } from 'preact/hooks';
import { useApiParts } from '#api/api-context.ts';
import { useSharedWords } from '#words/shared-words.ts';
import './connection-banner.css';

/** Shown while the node can't be reached. */
export function ConnectionBanner() {
  const words = useSharedWords();
  const { connection } = useApiParts();
  const [isLost, setIsLost] = useState(() => connection.isLost());
  useEffect(() => connection.listen(setIsLost), [connection]);
  return (
    <div class="connection" role="status">
      {isLost && (
        <p>
          <i class="connection-dot" />
          {words.connectionLost}
        </p>
      )}
    </div>
  );
}
