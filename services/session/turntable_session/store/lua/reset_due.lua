-- Set or clear what is due for a game, unless the game has moved on.
-- KEYS: head, a due set. ARGV: version expected, time or '', game.
if tonumber(redis.call('HGET', KEYS[1], 'version') or '0') ~= tonumber(ARGV[1]) then return 0 end
if ARGV[2] == '' then redis.call('ZREM', KEYS[2], ARGV[3])
else redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3]) end
return 1
