// Requests are counted for a token or a person, by their plan, and for an address when nobody is known.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../catalog/access.ts';
import { type Plans, unlimited } from '../catalog/plans.ts';
import { askerOf } from '../catalog/principal.ts';
import { rateHeaders, type RateLimiter } from '../catalog/rate-limit.ts';
import type { Services } from '../context.ts';
import { clientOf } from './address.ts';

/** Counts the caller's request, once however often it is tried, and refuses it when there were too many in this second. */
export type Count = (access: Access | null) => Promise<void>;

const countOnce = (limiter: RateLimiter, { plans }: Services, request: FastifyRequest, reply: FastifyReply): Count => {
  let isCounted = false;
  return async (access) => {
    if (isCounted) return;
    isCounted = true;
    const limit = access === null ? null : rateLimitOf(plans, access);
    // Nothing to count, and nothing to say: the headers' numbers have at most 15 digits.
    if (limit === unlimited) return;
    const rate = await (access === null || limit === null
      ? limiter.takeAnonymous(clientOf(request.ip))
      : limiter.take(rateKey(access), limit));
    reply.headers(rateHeaders(rate));
    if (!rate.allowed)
      throw new ApiError(
        'too_many_requests',
        `More than ${rate.limit} requests in one second`,
        { limit: rate.limit },
        { 'retry-after': String(rate.reset) },
      );
  };
};

/** Of a request with a large body already before it is read. */
export const countOf = (
  limiter: RateLimiter,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Count => (request.countOnce ??= countOnce(limiter, services, request, reply));

const rateKey = ({ principal }: Access): string => principal.tokenId ?? askerOf(principal).userId;

const rateLimitOf = (plans: Plans, { levels }: Access): number =>
  levels.length === 0
    ? plans.fallback.limit.apiRateLimit
    : Math.max(...levels.map((level) => plans.limitOf(level).apiRateLimit));

/** Those who have no good credential are held back without plans too. */
export const anonymousLimitOf = ({ plans: { fallback }, config }: Services): number =>
  Math.min(config.anonymousRequests, fallback.limit.apiRateLimit);
