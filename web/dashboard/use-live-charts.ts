// Charts follow the records they are made of, and people see what others do to the dashboard.
import type { EventData } from '@rowhouse/contract/event.ts';
import { useEffect } from 'react';
import { onConnectionReturn } from '../app/connection.ts';
import { queryClient } from '../app/query-client.ts';
import { openStream } from '../app/stream.ts';
import { atMostEvery } from '../record-data/live/at-most-every.ts';
import { nodesQuery, recordsKey } from '../record-data/queries.ts';
import { chartDataKey, dashboardQuery } from './queries.ts';

/** Shorter than a second, which is how soon a change is to be seen. */
const pause = 400;
/** What charts are made of changes less often than what they show. */
const longPause = 2_000;

export const useLiveCharts = (baseId: string, dashboardId: string): void => {
  useEffect(() => {
    const soon = atMostEvery(pause);
    const soonShape = atMostEvery(longPause);
    const soonAround = atMostEvery(pause);
    const data = (): void => soon(() => void queryClient.invalidateQueries({ queryKey: chartDataKey(dashboardId) }));
    /** Names of fields and views, and what is broken. */
    const shape = (): void =>
      soonShape(() => {
        void queryClient.invalidateQueries({ queryKey: dashboardQuery(baseId, dashboardId).queryKey });
        void queryClient.invalidateQueries({
          predicate: ({ queryKey }) => ['fields', 'views'].includes(String(queryKey[0])),
        });
      });
    const around = (): void =>
      soonAround(() => void queryClient.invalidateQueries({ queryKey: dashboardQuery(baseId, dashboardId).queryKey }));
    const tables = (): void =>
      void queryClient.invalidateQueries({
        predicate: ({ queryKey }) => ['tables', 'nodes'].includes(String(queryKey[0])),
      });
    const everything = (): void => {
      data();
      shape();
      around();
      tables();
    };
    const stop = openStream(`/api/base/${encodeURIComponent(baseId)}/events`, {
      on: {
        'tables.touched': (told) => {
          data();
          // The records behind a chart, where they are shown.
          for (const tableId of (told as EventData<'tables.touched'>).tableIds)
            void queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
          shape();
        },
        'tables.changed': () => {
          tables();
          data();
          shape();
        },
        'dashboards.changed': (told) => {
          const { dashboardId: changed } = told as EventData<'dashboards.changed'>;
          if (changed === dashboardId) around();
          void queryClient.invalidateQueries({ queryKey: nodesQuery(baseId).queryKey });
        },
      },
      onGap: everything,
    });
    const stopWaiting = onConnectionReturn(everything);
    return () => {
      stopWaiting();
      stop();
    };
  }, [baseId, dashboardId]);
};
