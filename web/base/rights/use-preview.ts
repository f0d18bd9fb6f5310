// What would change for whom, asked of the server while somebody chooses.
import { previewRights, type RightsDraft } from '@rowhouse/contract/rights-explained.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../app/call.ts';

/** The server counts records for it. */
const waits = 400;

const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), waits);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

export const usePreview = (baseId: string, draft: RightsDraft) => {
  const text = useSettled(JSON.stringify(draft));
  const preview = useQuery({
    queryKey: ['rights', baseId, 'preview', text],
    queryFn: ({ signal }) => call(previewRights, { params: { baseId }, body: JSON.parse(text) as RightsDraft, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return { ...preview, isBehind: preview.isFetching || text !== JSON.stringify(draft) };
};
