import * as contract from '@rowhouse/contract/button.ts';
import { guardedRoute, type Route, route } from '../../endpoint/route.ts';
import { getPress } from './get-press.ts';
import { pressButton } from './press-button.ts';
import { resetButton } from './reset-button.ts';

export const buttonRoutes: Route[] = [
  guardedRoute(contract.pressButton, (request, { params, headers }) =>
    pressButton(request, params, headers['idempotency-key'] as string | undefined),
  ),
  guardedRoute(contract.resetButton, (request, { params }) => resetButton(request, params)),
  route(contract.getPress, (context, { params }) => getPress(context, params)),
];
