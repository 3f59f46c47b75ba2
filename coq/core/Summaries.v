(** * Aggregates are functions of bags: the order of rows is of no account *)
From Tallystick.core Require Export Normal.

Lemma text_less_not l : text_less l l = false.
Proof. induction l as [|x l IH]; cbn; auto. now rewrite N.ltb_irrefl, N.eqb_refl, IH. Qed.
Lemma text_less_trans l : forall k m, text_less l k = true -> text_less k m = true -> text_less l m = true.
Proof.
  induction l as [|x l IH]; intros [|y k] [|z m]; cbn; try discriminate; auto. rewrite !orb_true_iff, !andb_true_iff, !N.ltb_lt, !N.eqb_eq.
  intros [A|[-> A]] [B|[-> B]]; [left; lia|left; lia|left; lia|right; split; auto; now apply (IH k)].
Qed.
Lemma text_less_total l : forall k, text_less l k = false -> text_less k l = false -> l = k.
Proof.
  induction l as [|x l IH]; intros [|y k]; cbn; try discriminate; auto. rewrite !orb_false_iff, !andb_false_iff, !N.ltb_ge, !N.eqb_neq. intros [A B] [C D].
  assert (x = y) by lia. subst. f_equal. apply IH; [destruct B|destruct D]; auto; congruence.
Qed.
Definition lt_c (x y : Qc) : bool := match Qccompare x y with Lt => true | _ => false end.
Lemma lt_c_ok x y : lt_c x y = true <-> Qclt x y.
Proof. unfold lt_c. rewrite Qclt_alt. destruct (Qccompare x y); split; congruence. Qed.
Lemma less_not v : less v v = false.
Proof.
  destruct v as [|x|[]|l|z]; cbn [less]; auto; [|apply text_less_not|apply Z.ltb_irrefl]. change (lt_c x x = false). apply not_true_is_false. rewrite lt_c_ok. apply Qclt_not_eq || idtac.
  intros H. now apply (Qclt_not_eq x x) in H.
Qed.
Lemma less_trans u v w : less u v = true -> less v w = true -> less u w = true.
Proof.
  destruct u as [|x|a|l|z], v as [|x'|a'|l'|z'], w as [|x''|a''|l''|z'']; cbn [less rank]; auto; try discriminate.
  - change (lt_c x x' = true -> lt_c x' x'' = true -> lt_c x x'' = true). rewrite !lt_c_ok. apply Qclt_trans.
  - destruct a, a', a''; cbn; auto.
  - apply text_less_trans.
  - rewrite !Z.ltb_lt. lia.
Qed.
Lemma less_total v w : less v w = false -> less w v = false -> v = w.
Proof.
  destruct v as [|x|a|l|z], w as [|x'|a'|l'|z']; cbn [less rank]; auto; try discriminate.
  - change (lt_c x x' = false -> lt_c x' x = false -> Number x = Number x'). intros A B. f_equal. rewrite <- not_true_iff_false, lt_c_ok in A, B.
    apply Qcnot_lt_le in A. apply Qcnot_lt_le in B. now apply Qcle_antisym.
  - destruct a, a'; cbn; auto; discriminate.
  - intros A B. f_equal. now apply text_less_total.
  - rewrite !Z.ltb_ge. intros. f_equal. lia.
Qed.
Lemma less_asym v w : less v w = true -> less w v = false.
Proof. intros A. apply not_true_is_false. intros B. pose proof (less_trans _ _ _ A B) as C. now rewrite less_not in C. Qed.

Lemma better_null f v u : is_null v = false -> is_null u = false -> is_null (better f v u) = false.
Proof. intros A B. destruct f; cbn; auto; match goal with |- context [if ?b then _ else _] => now destruct b end. Qed.
Lemma better_swap f x y z : better f x (better f y z) = better f y (better f x z).
Proof.
  destruct f; cbn [better]; try (destruct x as [|x| | |], y as [|y| | |], z as [|z| | |]; f_equal; try reflexivity; rewrite ?(Qcplus_comm _ (whole 0)), ?(Qcplus_0_l); ring).
  - destruct (less z y) eqn:A, (less z x) eqn:B, (less y x) eqn:C, (less x y) eqn:D; rewrite ?A, ?B, ?C, ?D; auto;
      try (now rewrite (less_asym _ _ C) in D); try (apply less_total; auto); try (now rewrite (less_trans _ _ _ A C) in B); try (now rewrite (less_trans _ _ _ B D) in A);
      try (rewrite (less_total _ _ C D) in *; congruence).
  - destruct (less y z) eqn:A, (less x z) eqn:B, (less y x) eqn:C, (less x y) eqn:D; rewrite ?A, ?B, ?C, ?D; auto;
      try (now rewrite (less_asym _ _ C) in D); try (apply less_total; auto); try (now rewrite (less_trans _ _ _ D A) in B); try (now rewrite (less_trans _ _ _ C B) in A);
      try (rewrite (less_total _ _ C D) in *; congruence).
Qed.
Lemma better_comm f x y : better f x y = better f y x.
Proof.
  destruct f; cbn [better]; try (destruct x as [|x| | |], y as [|y| | |]; f_equal; try reflexivity; ring).
  - destruct (less y x) eqn:C, (less x y) eqn:D; auto; [now rewrite (less_asym _ _ C) in D|now apply less_total].
  - destruct (less y x) eqn:C, (less x y) eqn:D; auto; [now rewrite (less_asym _ _ C) in D|symmetry; now apply less_total].
Qed.
Lemma combined_swap f x y z : combined f x (combined f y z) = combined f y (combined f x z).
Proof.
  unfold combined. destruct (is_null x) eqn:X, (is_null y) eqn:Y, (is_null z) eqn:Z; rewrite ?X, ?Y; auto.
  - destruct z; try discriminate. apply better_comm.
  - rewrite !better_null by auto. apply better_swap.
Qed.
Lemma folded_same {A B} (f : A -> B -> B) b : (forall x y z, f x (f y z) = f y (f x z)) -> forall l k, Permutation l k -> fold_right f b l = fold_right f b k.
Proof. intros S l k P. induction P; cbn; congruence. Qed.
Theorem summary_same w (L : lawful w) f l k : Permutation l k -> summary w f l = summary w f k.
Proof.
  intros P. destruct f; cbn [summary]; try (apply folded_same; [apply combined_swap|now apply Permutation_map]); [|now apply (of_bags_same w L)].
  do 2 f_equal. induction P; cbn [filter]; auto; [|destruct (negb (existsb is_null x)), (negb (existsb is_null y)); auto|congruence].
  destruct (negb (existsb is_null x)); cbn; auto.
Qed.
Theorem folded_function w (L : lawful w) g l k : Permutation l k -> folded w g l = folded w g k.
Proof.
  intros P. destruct g as [f|]; [now apply summary_same|]. cbn [folded]. destruct l as [|r [|r' l]].
  - now rewrite (Permutation_nil P).
  - now rewrite (Permutation_length_1_inv P).
  - apply Permutation_length in P. destruct k as [|? [|? ?]]; cbn in P; auto; discriminate.
Qed.
