(** * The kernel: goals, rules, proofs

    A rule says, of a goal, what has to be shown: premises, which are formulas, and subgoals.  [requirements] computes, as
    certificates/rules do; [rule_sound] is all of its soundness. *)
From Tallystick.core Require Export One SumRule BagRule Nodes.

(** Equals for equals: [s'] for [s] everywhere in a term, under binders too. *)
Fixpoint rwt (s s' t : term) : term := if eqt s t then s' else match t with
  | Apply o ts => Apply o (rwts s s' ts) | Ex b => Ex (rwb s s' b) | Total b => Total (rwb s s' b) | Summary f b => Summary f (rwb s s' b) | _ => t end
with rwts s s' ts := match ts with Tn => Tn | Tc t ts => Tc (rwt s s' t) (rwts s s' ts) end
with rwb s s' b := match b with Bn => Bn | Bc m b => Bc (rwm s s' m) (rwb s s' b) end
with rwm s s' m := match m with Take u m => Take (rwu s s' u) (rwm (shift 1 s) (shift 1 s') m) | Give c h => Give (rwt s s' c) (rwts s s' h) end
with rwu s s' u := match u with Table n => Table n | Support b => Support (rwb s s' b) | Block n b => Block n (rwb s s' b) end.

Inductive sides := Bags (b c : bag) | Values (s t : term).
Record goal := { rows : list source; given : term; of : sides }.
(** Number [k] of the list stands for a monomial, and is this one when its slots are swapped so. *)
Definition cover := list (nat * list nat).
Inductive rule :=
  | Bag_rule (gs : list BagRule.group) (left right : cover)
  | One_rule (k : nat) (swaps : list nat) (xs ys : list source) (chi : term) (h : terms) (chi' : term) (h' : terms) (opening : bool)
  | Sum_rule (gs : list SumRule.group) (left right : cover)
  | Refl | Cong | Sym | Shown | Trans (mid : bag) | Trans_value (mid : term)
  | Inside_condition (k : nat) (s s' : term) | Inside_head (k : nat) (s s' : term) | Inside_source (k d : nat) (x : bag)
  | Inside_support (k d : nat) (x : bag).

Fixpoint set_nth {A} (k : nat) (x : A) (l : list A) : list A := match l, k with [], _ => [] | _ :: l, O => x :: l | y :: l, S k => y :: set_nth k x l end.
Definition covering (l : list mono) (at_ : cover) (k : list mono) : bool :=
  is (list_eq_dec Nat.eq_dec) (seq 0 (List.length l)) (fold_right (insert Nat.ltb) [] (map fst at_)) && Nat.eqb (List.length at_) (List.length k) &&
  forallb (fun p => match nth_error l (fst (fst p)) with Some m => match reorder (snd (fst p)) m with Some n => eqm n (snd p) | None => false end | None => false end) (combine at_ k).
(** Terms whose values are numbers, whatever they are over. *)
Fixpoint numeric (t : term) : bool := match t with
  | Total _ | Apply Add _ | Apply Mul (Tc _ (Tc _ Tn)) | Apply (Lit (Number _)) _ => true
  | Apply Ite (Tc _ (Tc a (Tc b Tn))) => numeric a && numeric b | _ => false end.

Section Kernel.
  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value) (base : env).
  Variables (keys : string -> list (list nat)) (counted : place -> bag -> option (list nat)).
  Hypothesis keys_hold : forall t cs, In cs (keys t) -> satisfies w (Key t cs).
  Hypothesis counted_holds : forall e n b cs, counted n b = Some cs -> ForallOrdPairs (fun v u => cells cs v <> cells cs u) (ms w blocks named e (Block n b)).
  Hypothesis blocks_same : forall n l k, Permutation l k -> Permutation (blocks n l) (blocks n k).
  Hypothesis summary_same : forall f l k, Permutation l k -> folded w f l = folded w f k.
  Notation mt := (mt w blocks named).
  Notation mts := (mts w blocks named).
  Notation mm := (mm w blocks named).
  Notation mb := (mb w blocks named).
  Notation ms := (ms w blocks named).
  Notation choices := (choices w blocks named).
  Notation valid := (valid w blocks named base).
  Definition related (e : env) (s : sides) : Prop := match s with Bags b c => Permutation (mb e b) (mb e c) | Values s t => mt e s = mt e t end.
  Definition holds (g : goal) : Prop := forall e, In e (choices base (rows g)) -> is_true (mt e (given g)) = true -> related e (of g).

  Lemma rewritten :
    (forall t e s s', mt e s = mt e s' -> mt e (rwt s s' t) = mt e t) /\ (forall t e s s', mt e s = mt e s' -> mts e (rwts s s' t) = mts e t) /\
    (forall t e s s', mt e s = mt e s' -> mb e (rwb s s' t) = mb e t) /\ (forall t e s s', mt e s = mt e s' -> mm e (rwm s s' t) = mm e t) /\
    (forall t e s s', mt e s = mt e s' -> ms e (rwu s s' t) = ms e t).
  Proof.
    apply all_i; intros; cbn [rwt rwts rwb rwm rwu]; try (match goal with |- context [if ?b then _ else _] => destruct b eqn:Q; [apply (proj1 equal_ok) in Q; subst; now symmetry|] end); auto.
    - change (apply w named o (mts e (rwts s s' ts)) = apply w named o (mts e ts)). now rewrite H.
    - change (mt e (Ex ?x)) with (Truth match mb e x with [] => false | _ => true end). now rewrite H.
    - change (mt e (Total ?x)) with (Number (qsum (map weight (mb e x)))). now rewrite H.
    - change (mt e (Summary f ?x)) with (folded w f (mb e x)). now rewrite H.
    - change (mt e (rwt s s' t) :: mts e (rwts s s' ts) = mt e t :: mts e ts). now rewrite H, H0.
    - change (mm e (rwm s s' m) ++ mb e (rwb s s' b) = mm e m ++ mb e b). now rewrite H, H0.
    - change (flat_map (fun r => mm (push r e) (rwm (shift 1 s0) (shift 1 s') m)) (ms e (rwu s0 s' s)) = flat_map (fun r => mm (push r e) m) (ms e s)). rewrite H by auto.
      apply flat_map_same. intros r. apply H0. now rewrite !(shift_ok w blocks named 1 _ e (push r e)).
    - change ((if is_true (mt e (rwt s s' c)) then [mts e (rwts s s' h)] else []) = if is_true (mt e c) then [mts e h] else []). now rewrite H, H0.
    - change (nodup row_eq_dec (mb e (rwb s s' b)) = nodup row_eq_dec (mb e b)). now rewrite H.
    - change (blocks n (mb e (rwb s s' b)) = blocks n (mb e b)). now rewrite H.
  Qed.
  Lemma numeric_ok t e : numeric t = true -> mt e t = Number (num (mt e t)).
  Proof.
    enough (G : (forall t, numeric t = true -> mt e t = Number (num (mt e t))) /\ (forall ts, Forall (fun t => numeric t = true -> mt e t = Number (num (mt e t))) (terms_list ts)) /\ (bag -> True) /\ (mono -> True) /\ (source -> True)) by apply G.
    apply all_i; auto; try discriminate.
    - intros o ts F N. destruct o; try discriminate.
      + destruct v; try discriminate. reflexivity.
      + destruct ts as [|c [|a [|b [|]]]]; try discriminate. cbn [terms_list] in F. inversion F as [|? ? _ F1]; subst. inversion F1 as [|? ? A F2]; subst. inversion F2 as [|? ? B _]; subst.
        cbn [numeric] in N. apply andb_prop in N as [N1 N2]. change (mt e (Apply Ite (Tc c (Tc a (Tc b Tn))))) with (if is_true (mt e c) then mt e a else mt e b). destruct (is_true (mt e c)); auto.
      + reflexivity.
      + destruct ts as [|a [|b [|]]]; try discriminate. reflexivity.
    - constructor.
    - intros. now constructor.
  Qed.
  Lemma insert_perm x l : Permutation (x :: l) (insert Nat.ltb x l).
  Proof. induction l as [|y l IH]; cbn [insert]; auto. destruct (Nat.ltb y x); auto. etransitivity; [apply perm_swap|]. now constructor. Qed.
  Lemma insert_all l : Permutation l (fold_right (insert Nat.ltb) [] l).
  Proof. induction l as [|x l IH]; cbn [fold_right]; auto. etransitivity; [|apply insert_perm]. now constructor. Qed.
  Lemma map_nth_seq {A} (l : list A) d : map (fun n => nth n l d) (seq 0 (List.length l)) = l.
  Proof. induction l as [|m l IH]; auto. cbn [List.length seq map]. rewrite <- seq_shift, map_map. cbn [nth]. now rewrite IH. Qed.
  Lemma covering_ok l a k : covering l a k = true -> exists l', Permutation l l' /\ Forall2 (same_mono w blocks named) l' k.
  Proof.
    unfold covering. rewrite !andb_true_iff. intros [[P L] F]. apply is_ok in P. apply Nat.eqb_eq in L.
    exists (map (fun n => nth n l (Give no Tn)) (map fst a)). split.
    - transitivity (map (fun n => nth n l (Give no Tn)) (seq 0 (List.length l))).
      + apply Permutation_refl'. symmetry. apply map_nth_seq.
      + apply Permutation_map. rewrite P. symmetry. apply insert_all.
    - clear P. revert k L F. induction a as [|[n ks] a IH]; intros [|m k] L F; try discriminate; [constructor|]. cbn [combine forallb map fst snd] in *. apply andb_prop in F as [F1 F2]. injection L as L.
      constructor; auto. destruct (nth_error l n) as [m0|] eqn:N; [|discriminate]. rewrite (nth_error_nth _ _ _ N). destruct (reorder ks m0) as [n0|] eqn:R; [|discriminate].
      apply (proj1 (proj2 (proj2 (proj2 equal_ok)))) in F1. subst. now apply (reorder_ok w blocks named ks).
  Qed.
  Lemma rows_monos e b : mb e b = rows_of w blocks named e (Nodes.monos b).
  Proof. induction b as [|m b IH] using bag_list_i; auto. change (mb e (Bc m b)) with (mm e m ++ mb e b). rewrite IH. reflexivity. Qed.
  Lemma rows_set e k n l m : nth_error l k = Some m -> Permutation (mm e m) (mm e n) -> Permutation (rows_of w blocks named e l) (rows_of w blocks named e (set_nth k n l)).
  Proof.
    revert k; induction l as [|x l IH]; intros [|k] N P; try discriminate; cbn [set_nth]; unfold rows_of in *; cbn [flat_map].
    - inversion N; subst. now apply Permutation_app_tail.
    - apply Permutation_app_head. now apply IH.
  Qed.
  Lemma monos_to l : Nodes.monos (to_bag l) = l.
  Proof. induction l; cbn; congruence. Qed.
  Lemma bag_set e k n b m : nth_error (Nodes.monos b) k = Some m -> Permutation (mm e m) (mm e n) -> Permutation (mb e b) (mb e (to_bag (set_nth k n (Nodes.monos b)))).
  Proof. intros N P. rewrite !rows_monos, monos_to. now apply (rows_set e k n _ m). Qed.

  (** ** Rules *)
  (** The premises of a group; of a pair, and of one monomial alone, they are shorter. *)
  Definition matched_premises (rows : list source) (given : term) (xs : list source) (p q : term * terms) : list premise :=
    let under c f := (rows ++ xs, implies (conj2 (shift (List.length xs) given) c) f) in
    [under (fst p) (fst q); under (fst q) (fst p); under (conj2 (fst p) (fst q)) (same_terms (snd p) (snd q))].
  Definition bag_premises (rows : list source) (given : term) (k : BagRule.group) : list premise := match BagRule.lefts k, BagRule.rights k with
    | [p], [q] => matched_premises rows given (BagRule.over k) p q
    | [p], [] | [], [p] => [(rows ++ BagRule.over k, implies (conj2 (shift (List.length (BagRule.over k)) given) (fst p)) no)]
    | l, r => group_premises rows given (BagRule.over k) l r end.
  Lemma same_count a g l r : mt a (count g l) = mt a (count g r) -> is_true (mt a (ap2 IsSame (count g l) (count g r))) = true.
  Proof. intros E. change (same (mt a (count g l)) (mt a (count g r)) = true). rewrite E. unfold same. now destruct (value_eq_dec _ _). Qed.
  Lemma bag_premises_ok rows given k : Forall valid (bag_premises rows given k) -> Forall valid (group_premises rows given (BagRule.over k) (BagRule.lefts k) (BagRule.rights k)).
  Proof.
    unfold bag_premises. set (xs := BagRule.over k). set (G := shift (List.length xs) given).
    assert (ALONE : forall p : term * terms, valid (rows ++ xs, implies (conj2 G (fst p)) no) -> forall f, valid (rows ++ xs, implies (conj2 G (fst p)) f)).
    { intros p V f e E. cbn [fst snd] in *. specialize (V e E). cbn [snd] in V. rewrite implies_ok in *. intros H. now specialize (V H). }
    destruct (BagRule.lefts k) as [|p [|]], (BagRule.rights k) as [|q [|]]; auto; intros V; unfold group_premises; cbn [app map].
    - inversion V; subst. constructor; [|constructor]. unfold counts_agree. now apply ALONE.
    - inversion V; subst. constructor; [|constructor]. unfold counts_agree. now apply ALONE.
    - unfold matched_premises in V. fold G in V. inversion V as [|? ? V1 W]; subst. inversion W as [|? ? V2 W']; subst. inversion W' as [|? ? V3 _]; subst. clear V W W'.
      assert (P : forall e, In e (choices base (rows ++ xs)) -> is_true (mt e G) = true -> forall g, mt e (count g [p]) = mt e (count g [q])).
      { intros e E T g. destruct p as [c h], q as [d h']. specialize (V1 e E). specialize (V2 e E). specialize (V3 e E). cbn [fst snd] in *. rewrite implies_ok, !conj2_ok, T in *.
        apply pair_is_group; auto. intros A B. rewrite A, B in V3. apply (proj1 (same_terms_ok w blocks named e h h')). now apply V3. }
      repeat constructor; intros e E; cbn [counts_agree fst snd]; fold G; rewrite implies_ok, conj2_ok, andb_true_iff; intros [T _]; apply same_count; now apply P.
  Qed.
  Definition needs := option (list premise * list goal).
  Definition with_left (g : goal) (c : bag) (k : nat) (b : bag) (m : mono) : goal := {| rows := rows g; given := given g; of := Bags (to_bag (set_nth k m (Nodes.monos b))) c |}.
  Definition under (g : goal) (ss : list source) (also : term) (s : sides) : goal :=
    {| rows := rows g ++ ss; given := conj2 (shift (List.length ss) (given g)) also; of := s |}.
  Definition source_with (s : source) (x : bag) : option (bag * source) := match s with
    | Table _ => None | Support b => Some (b, Support x) | Block n b => Some (b, Block n x) end.
  (** Each row of one support is a row of another. *)
  Definition contained (g : goal) (pre : list source) (old x : bag) : premise := (rows g ++ pre ++ [Support old],
    implies (shift (S (List.length pre)) (given g)) (Ex (Bc (Take (Support (rb S x)) (Give (Alike 0 1) Tn)) Bn))).
  Definition requirements (g : goal) (r : rule) : needs := match r, of g with
    | Bag_rule gs l r, Bags b c =>
        if covering (Nodes.monos b) l (flat_map (fun g => map (BagRule.member (BagRule.over g)) (BagRule.lefts g)) gs) &&
           covering (Nodes.monos c) r (flat_map (fun g => map (BagRule.member (BagRule.over g)) (BagRule.rights g)) gs)
        then Some (flat_map (bag_premises (rows g) (given g)) gs, []) else None
    | One_rule k swaps xs ys chi h chi' h' opening, Bags b c =>
        let large := takes xs (takes ys (Give chi h)) in let small_ := takes xs (Give chi' h') in
        match nth_error (Nodes.monos b) k with None => None | Some m => match reorder swaps m with None => None | Some m =>
          if eqm m (if opening then small_ else large)
          then Some (one_premises keys counted (rows g) xs ys (given g) chi h chi' h', [with_left g c k b (if opening then large else small_)]) else None end end
    | Sum_rule gs l r, Values s t =>
        if numeric s && numeric t && covering (flat s) l (flat_map SumRule.left_of gs) && covering (flat t) r (flat_map SumRule.right_of gs)
        then Some (map (fun k => totals_agree (rows g) (given g) (SumRule.over k) (SumRule.lefts k) (SumRule.rights k)) gs, []) else None
    | Refl, Bags b c => if eqb b c then Some ([], []) else None
    | Refl, Values s t => if eqt s t then Some ([], []) else None
    | Cong, Values s t => match s, t with
        | Ex b, Ex c | Total b, Total c => Some ([], [{| rows := rows g; given := given g; of := Bags b c |}])
        | Summary f b, Summary f' c => if is aggregate_eq_dec f f' then Some ([], [{| rows := rows g; given := given g; of := Bags b c |}]) else None
        | _, _ => None end
    | Shown, Values s t => Some ([(rows g, implies (given g) (ap2 IsSame s t))], [])
    | Sym, Bags b c => Some ([], [{| rows := rows g; given := given g; of := Bags c b |}])
    | Sym, Values s t => Some ([], [{| rows := rows g; given := given g; of := Values t s |}])
    | Trans m, Bags b c => Some ([], [{| rows := rows g; given := given g; of := Bags b m |}; {| rows := rows g; given := given g; of := Bags m c |}])
    | Trans_value m, Values s t => Some ([], [{| rows := rows g; given := given g; of := Values s m |}; {| rows := rows g; given := given g; of := Values m t |}])
    | Inside_condition k s s', Bags b c => match nth_error (Nodes.monos b) k with None => None | Some m =>
        let '(ss, (d, h)) := ends_of m in
        Some ([], [under g ss yes (Values s s'); with_left g c k b (takes ss (Give (rwt s s' d) h))]) end
    | Inside_head k s s', Bags b c => match nth_error (Nodes.monos b) k with None => None | Some m =>
        let '(ss, (d, h)) := ends_of m in
        Some ([], [under g ss d (Values s s'); with_left g c k b (takes ss (Give d (rwts s s' h)))]) end
    | Inside_source k d x, Bags b c => match nth_error (Nodes.monos b) k with None => None | Some m =>
        let '(ss, (f, h)) := ends_of m in
        match skipn d ss with [] => None | s :: post => match source_with s x with None => None | Some (old, new) =>
          Some ([], [under g (firstn d ss) yes (Bags old x); with_left g c k b (takes (firstn d ss) (Take new (takes post (Give f h))))]) end end end
    | Inside_support k d x, Bags b c => match nth_error (Nodes.monos b) k with None => None | Some m =>
        let '(ss, (f, h)) := ends_of m in
        match skipn d ss with
        | Support old :: post => let pre := firstn d ss in
            Some ([contained g pre old x; contained g pre x old], [with_left g c k b (takes pre (Take (Support x) (takes post (Give f h))))])
        | _ => None end end
    | _, _ => None end.

  Lemma contained_ok g pre old x e a : valid (contained g pre old x) -> In e (choices base (rows g)) -> is_true (mt e (given g)) = true -> In a (choices e pre) ->
    forall r, In r (mb a old) -> In r (mb a x).
  Proof.
    intros V E G A r R. specialize (V (push r a)). cbn [contained fst snd] in V. rewrite choices_app, in_flat_map in V. rewrite implies_ok in V.
    assert (I : In (push r a) (choices e (pre ++ [Support old]))).
    { rewrite choices_app, in_flat_map. exists a. split; auto. cbn [Normal.choices]. apply in_flat_map. exists r. split; [|now left].
      change (In r (nodup row_eq_dec (mb a old))). now apply nodup_In. }
    specialize (V (ex_intro _ e (conj E I))). rewrite (shift_ok w blocks named _ (given g) e (push r a)) in V by (intros i; exact (choices_outer w blocks named pre e a A i)).
    specialize (V G). apply exists_ok in V as (r0 & V). apply in_bag in V as (m & [<-|[]] & V). apply in_mono in V as (a' & A' & T & _). cbn [ends_of fst snd] in A', T.
    cbn [Normal.choices] in A'. apply in_flat_map in A' as (r' & R' & [<-|[]]). change (same_row r' r = true) in T. unfold same_row in T. destruct (row_eq_dec r' r) as [->|]; [|discriminate].
    change (In r (nodup row_eq_dec (mb (push r a) (rb S x)))) in R'. rewrite nodup_In in R'. now rewrite (proj1 (proj2 (proj2 (renamed w blocks named))) x a (push r a) S) in R' by auto.
  Qed.
  Lemma under_ok g ss also s e a : holds (under g ss also s) -> In e (choices base (rows g)) -> is_true (mt e (given g)) = true -> In a (choices e ss) -> is_true (mt a also) = true -> related a s.
  Proof.
    intros H E G A T. apply (H a); cbn [under rows given of].
    - rewrite choices_app, in_flat_map. eauto.
    - rewrite conj2_ok, T, andb_true_r, (shift_ok w blocks named _ (given g) e a); auto. intros i. exact (choices_outer w blocks named ss e a A i).
  Qed.
  Lemma nodup_permutation (l k : list row) : Permutation l k -> Permutation (nodup row_eq_dec l) (nodup row_eq_dec k).
  Proof. intros P. apply NoDup_Permutation; try apply NoDup_nodup. intros x. rewrite !nodup_In. split; apply Permutation_in; auto. now symmetry. Qed.

  Theorem rule_sound g r ps gs : requirements g r = Some (ps, gs) -> Forall valid ps -> Forall holds gs -> holds g.
  Proof.
    intros R V H e E G. unfold requirements in R. destruct r as [gr l r|k sw xs ys chi h chi' h' op|gr l r| | | | |mid|mid|k s s'|k s s'|k d x|k d x], (of g) as [b c|s0 t0] eqn:O; try discriminate; cbn [related].
    - destruct (covering _ l _) eqn:C1; [|discriminate]. destruct (covering _ r _) eqn:C2; [|discriminate]. cbn [andb] in R. inversion R; subst; clear R. rewrite !rows_monos.
      apply (bag_sound w blocks named base (rows g) (given g) _ _ gr (covering_ok _ _ _ C1) (covering_ok _ _ _ C2)); auto.
      apply Forall_forall. intros k K. apply bag_premises_ok. apply Forall_forall. intros p P. apply (proj1 (Forall_forall _ _) V). apply in_flat_map. eauto.
    - destruct (nth_error _ k) as [m0|] eqn:N; [|discriminate]. destruct (reorder sw m0) as [m|] eqn:RE; [|discriminate]. apply (reorder_ok w blocks named sw) in RE.
      destruct (eqm m _) eqn:Q; [|discriminate]. apply (proj1 (proj2 (proj2 (proj2 equal_ok)))) in Q. inversion R; subst; clear R.
      inversion H as [|? ? H1 _]; subst. specialize (H1 e E G). cbn [with_left of related] in H1. etransitivity; [|exact H1].
      pose proof (one_sound w blocks named base keys counted keys_hold counted_holds (rows g) xs ys (given g) chi h chi' h' V e E G) as X.
      destruct op; (eapply bag_set; [exact N|]); (etransitivity; [apply RE|]); apply Permutation_refl'; auto.
    - destruct (numeric s0) eqn:N1; [|discriminate]. destruct (numeric t0) eqn:N2; [|discriminate]. destruct (covering _ l _) eqn:C1; [|discriminate]. destruct (covering _ r _) eqn:C2; [|discriminate].
      cbn [andb] in R. inversion R; subst; clear R. rewrite (numeric_ok s0), (numeric_ok t0) by auto. f_equal.
      apply (sum_sound w blocks named base (rows g) (given g) s0 t0 gr (covering_ok _ _ _ C1) (covering_ok _ _ _ C2)); auto. now rewrite Forall_map in V.
    - destruct (eqb b c) eqn:Q; [|discriminate]. apply (proj1 (proj2 (proj2 equal_ok))) in Q. now subst.
    - destruct (eqt s0 t0) eqn:Q; [|discriminate]. apply (proj1 equal_ok) in Q. now subst.
    - destruct s0 as [| | |b1|b1|f b1], t0 as [| | |c1|c1|f1 c1]; try discriminate.
      + inversion R; subst; clear R. inversion H as [|? ? H1 _]; subst. specialize (H1 e E G). cbn [of related] in H1.
        change (Truth match mb e b1 with [] => false | _ => true end = Truth match mb e c1 with [] => false | _ => true end). f_equal.
        destruct (mb e b1), (mb e c1); auto; [now apply Permutation_nil in H1|symmetry in H1; now apply Permutation_nil in H1].
      + inversion R; subst; clear R. inversion H as [|? ? H1 _]; subst. specialize (H1 e E G). cbn [of related] in H1.
        change (Number (qsum (map weight (mb e b1))) = Number (qsum (map weight (mb e c1)))). f_equal. apply qsum_perm. now apply Permutation_map.
      + destruct (is aggregate_eq_dec f f1) eqn:Q; [|discriminate]. apply is_ok in Q. subst f1. inversion R; subst; clear R. inversion H as [|? ? H1 _]; subst. specialize (H1 e E G). cbn [of related] in H1.
        change (folded w f (mb e b1) = folded w f (mb e c1)). now apply summary_same.
    - inversion R; subst; clear R. inversion H as [|? ? H1 _]; subst. specialize (H1 e E G). cbn [of related] in H1. now symmetry.
    - inversion R; subst; clear R. inversion H as [|? ? H1 _]; subst. specialize (H1 e E G). cbn [of related] in H1. now symmetry.
    - inversion R; subst; clear R. inversion V as [|? ? V1 _]; subst. specialize (V1 e E). cbn [fst snd] in V1. rewrite implies_ok in V1. specialize (V1 G).
      change (same (mt e s0) (mt e t0) = true) in V1. unfold same in V1. destruct (value_eq_dec (mt e s0) (mt e t0)); [assumption|discriminate].
    - inversion R; subst; clear R. inversion H as [|? ? H1 H']; subst. inversion H' as [|? ? H2 _]; subst. specialize (H1 e E G). specialize (H2 e E G). cbn [of related] in *. etransitivity; eauto.
    - inversion R; subst; clear R. inversion H as [|? ? H1 H']; subst. inversion H' as [|? ? H2 _]; subst. specialize (H1 e E G). specialize (H2 e E G). cbn [of related] in *. congruence.
    - destruct (nth_error _ k) as [m|] eqn:N; [|discriminate]. pose proof (ends_ok m) as M. destruct (ends_of m) as [ss [d h]]. cbn [fst snd] in M. inversion R; subst ps gs; clear R.
      inversion H as [|? ? H1 H']; subst. inversion H' as [|? ? H2 _]; subst. specialize (H2 e E G). cbn [with_left of related] in H2. etransitivity; [|exact H2].
      eapply bag_set; [exact N|]. rewrite !mm_takes. apply flat_map_permutation. intros a A. apply Permutation_refl'. pose proof (under_ok g ss yes _ e a H1 E G A eq_refl) as X. cbn [related] in X.
      change ((if is_true (mt a d) then [mts a h] else []) = if is_true (mt a (rwt s s' d)) then [mts a h] else []). now rewrite (proj1 rewritten d a s s' X).
    - destruct (nth_error _ k) as [m|] eqn:N; [|discriminate]. pose proof (ends_ok m) as M. destruct (ends_of m) as [ss [d h]]. cbn [fst snd] in M. inversion R; subst ps gs; clear R.
      inversion H as [|? ? H1 H']; subst. inversion H' as [|? ? H2 _]; subst. specialize (H2 e E G). cbn [with_left of related] in H2. etransitivity; [|exact H2].
      eapply bag_set; [exact N|]. rewrite !mm_takes. apply flat_map_permutation. intros a A. apply Permutation_refl'.
      change ((if is_true (mt a d) then [mts a h] else []) = if is_true (mt a d) then [mts a (rwts s s' h)] else []). destruct (is_true (mt a d)) eqn:T; auto.
      pose proof (under_ok g ss d _ e a H1 E G A T) as X. cbn [related] in X. now rewrite (proj1 (proj2 rewritten) h a s s' X).
    - destruct (nth_error _ k) as [m|] eqn:N; [|discriminate]. pose proof (ends_ok m) as M. destruct (ends_of m) as [ss [f h]]. cbn [fst snd] in M.
      destruct (skipn d ss) as [|s post] eqn:K; [discriminate|]. destruct (source_with s x) as [[old new]|] eqn:W; [|discriminate]. inversion R; subst ps gs; clear R.
      inversion H as [|? ? H1 H']; subst. inversion H' as [|? ? H2 _]; subst. specialize (H2 e E G). cbn [with_left of related] in H2. etransitivity; [|exact H2].
      eapply bag_set; [exact N|]. rewrite <- (firstn_skipn d ss) at 1. rewrite K. unfold takes at 1. rewrite fold_right_app. fold (takes (firstn d ss)). cbn [fold_right].
      change (fold_right Take (Give f h) post) with (takes post (Give f h)). fold (takes (firstn d ss) (Take s (takes post (Give f h)))).
      rewrite !mm_takes. apply flat_map_permutation. intros a A. pose proof (under_ok g (firstn d ss) yes _ e a H1 E G A eq_refl) as X. cbn [related] in X.
      change (Permutation (flat_map (fun r => mm (push r a) (takes post (Give f h))) (ms a s)) (flat_map (fun r => mm (push r a) (takes post (Give f h))) (ms a new))).
      apply Permutation_flat_map. destruct s as [t|y|n y]; [discriminate| |]; inversion W; subst.
      + change (Permutation (nodup row_eq_dec (mb a old)) (nodup row_eq_dec (mb a x))). now apply nodup_permutation.
      + change (Permutation (blocks n (mb a old)) (blocks n (mb a x))). now apply blocks_same.
    - destruct (nth_error _ k) as [m|] eqn:N; [|discriminate]. pose proof (ends_ok m) as M. destruct (ends_of m) as [ss [f h]]. cbn [fst snd] in M.
      destruct (skipn d ss) as [|[t|old|n y] post] eqn:K; try discriminate. cbv zeta in R. inversion R; subst ps gs; clear R.
      inversion V as [|? ? V1 V']; subst. inversion V' as [|? ? V2 _]; subst. inversion H as [|? ? H1 _]; subst. specialize (H1 e E G). cbn [with_left of related] in H1. etransitivity; [|exact H1].
      eapply bag_set; [exact N|]. rewrite <- (firstn_skipn d ss) at 1. rewrite K. unfold takes at 1. rewrite fold_right_app. fold (takes (firstn d ss)). cbn [fold_right].
      change (fold_right Take (Give f h) post) with (takes post (Give f h)). fold (takes (firstn d ss) (Take (Support old) (takes post (Give f h)))).
      rewrite !mm_takes. apply flat_map_permutation. intros a A.
      change (Permutation (flat_map (fun r => mm (push r a) (takes post (Give f h))) (nodup row_eq_dec (mb a old))) (flat_map (fun r => mm (push r a) (takes post (Give f h))) (nodup row_eq_dec (mb a x)))).
      apply Permutation_flat_map. apply NoDup_Permutation; try apply NoDup_nodup. intros r. rewrite !nodup_In.
      split; [apply (contained_ok g _ old x e a V1 E G A)|apply (contained_ok g _ x old e a V2 E G A)].
  Qed.

End Kernel.
