import { z } from 'zod'
import {
  clearLoginFailures,
  lockedForSeconds,
  recordLoginFailure,
} from '../../access/login-limit.ts'
import { verifyPassword } from '../../access/passwords.ts'
import {
  endSessions,
  findUserByEmail,
  markLogin,
  useLoginLink,
  type User,
} from '../../access/users.ts'
import { sessionCookie, setSession } from '../auth.ts'
import type { Api, ApiContext } from '../context.ts'
import { problem } from '../problem.ts'
import type { FastifyReply } from 'fastify'

const userShape = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(['viewer', 'operator', 'admin']),
})
const sessionShape = z.object({ user: userShape, expires_at: z.iso.datetime() })

export function authRoutes(api: Api, context: ApiContext): void {
  const { sql, config, tokens, clock } = context

  const openSession = async (
    reply: FastifyReply,
    user: User,
  ): Promise<z.infer<typeof sessionShape>> => {
    const lifeMs = config.sessionHours * 3_600_000
    setSession(reply, tokens.signSession(user, lifeMs), config)
    await markLogin(sql, user.id)
    return {
      user: describe(user),
      expires_at: new Date(clock.now().getTime() + lifeMs).toISOString(),
    }
  }

  api.post(
    '/api/v1/auth/login',
    {
      config: { role: 'public' },
      schema: {
        summary: 'Log in with email and password',
        tags: ['auth'],
        body: z.object({ email: z.string().min(3).max(200), password: z.string().min(1).max(200) }),
        response: { 200: sessionShape },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body
      const subjects = [`email:${email.toLowerCase()}`, `ip:${request.ip}`]
      const locked = await lockedForSeconds(sql, subjects)
      if (locked > 0) {
        throw problem(
          429,
          'Too many failed logins',
          `Try again in ${locked} s.`,
          {},
          { 'retry-after': String(locked) },
        )
      }
      const user = await findUserByEmail(sql, email)
      if (!(await verifyPassword(password, user?.passwordHash ?? null)) || user === null) {
        await recordLoginFailure(sql, subjects)
        throw problem(401, 'Login failed', 'The email or the password is wrong.')
      }
      await clearLoginFailures(sql, subjects)
      return openSession(reply, user)
    },
  )

  api.post(
    '/api/v1/auth/login-link',
    {
      config: { role: 'public' },
      schema: {
        summary: 'Log in with a one-time link',
        tags: ['auth'],
        body: z.object({ token: z.string().min(10).max(200) }),
        response: { 200: sessionShape },
      },
    },
    async (request, reply) => {
      const user = await useLoginLink(sql, request.body.token)
      if (user === null) {
        throw problem(
          401,
          'Link used or expired',
          'Run `millrace login-link` for a new one, or log in with a password.',
        )
      }
      return openSession(reply, user)
    },
  )

  api.post(
    '/api/v1/auth/logout',
    {
      schema: {
        summary: 'End this session, or with everywhere=true every session of the user',
        tags: ['auth'],
        querystring: z.object({ everywhere: z.stringbool().default(false) }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      if (request.query.everywhere && request.caller?.kind === 'user')
        await endSessions(sql, request.caller.id)
      return reply.clearCookie(sessionCookie, { path: '/' }).code(204).send(null)
    },
  )

  api.get(
    '/api/v1/auth/me',
    {
      schema: {
        summary: 'Who am I',
        tags: ['auth'],
        response: { 200: z.object({ user: userShape }) },
      },
    },
    (request) => {
      const caller = request.caller
      if (caller === null) throw problem(401, 'Login required', 'Nobody is logged in.')
      return { user: { id: caller.id, email: caller.name, role: caller.role } }
    },
  )
}

function describe(user: User): z.infer<typeof userShape> {
  return { id: user.id, email: user.email, role: user.role }
}
