-- Give what a reader who knows a game up to a version and tag is missing; look a request's key up on the way.
-- KEYS: head, log, keys. ARGV: version and tag known, key or ''.
local found = redis.call('HMGET', KEYS[1], 'version', 'tag', 'at')
if not found[1] then return false end
local version, known = tonumber(found[1]), tonumber(ARGV[1])
local repeated = false
if ARGV[3] ~= '' then repeated = redis.call('HGET', KEYS[3], ARGV[3]) end
if version == known and found[2] == ARGV[2] then return {version, repeated} end
local from, game = known, false
-- A reader ahead of the store knows entries that were lost with a server: it has to begin again.
if version <= known then from = 0 end
local at = tonumber(found[3] or '0')
if at > from then
  from = at
  game = redis.call('HGET', KEYS[1], 'game')
end
return {version, repeated, from, game, redis.call('XRANGE', KEYS[2], '(' .. from .. '-0', '+'), found[2]}
