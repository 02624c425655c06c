;; Dot products of one query with rows of signed bytes, 16 at a time.
;; Numbers may not overflow: quantizeQuery makes queries so short that every sum of products with
;; signed bytes is below 2^31.
(module
  ;; Shared, so that other threads scan what one has put there; 65536 pages are all there may be.
  (import "env" "memory" (memory 1 65536 shared))

  ;; query: dimension x i16; rows: count x dimension x i8; out: count x i32.
  ;; dimension is a multiple of 16; all addresses are multiples of 16.
  (func (export "dots")
    (param $query i32) (param $rows i32) (param $count i32) (param $dimension i32) (param $out i32)
    (local $at i32) (local $queryAt i32) (local $rowEnd i32) (local $outEnd i32)
    (local $bytes v128) (local $sum v128)
    (local.set $at (local.get $rows))
    (local.set $outEnd
      (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $out) (local.get $outEnd)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $queryAt (local.get $query))
        (local.set $rowEnd (i32.add (local.get $at) (local.get $dimension)))
        (loop $part
          (local.set $bytes (v128.load (local.get $at)))
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.add
                (i32x4.dot_i16x8_s
                  (i16x8.extend_low_i8x16_s (local.get $bytes))
                  (v128.load (local.get $queryAt)))
                (i32x4.dot_i16x8_s
                  (i16x8.extend_high_i8x16_s (local.get $bytes))
                  (v128.load offset=16 (local.get $queryAt))))))
          (local.set $queryAt (i32.add (local.get $queryAt) (i32.const 32)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $part (i32.lt_u (local.get $at) (local.get $rowEnd))))
        (i32.store (local.get $out)
          (i32.add
            (i32.add
              (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add
              (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $row)))))
